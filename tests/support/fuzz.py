"""How hypothesis runs here: against a server that may be busy, so without a deadline."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A fixture is shared by all examples of a test: each example takes a sandbox of its own.
settings.register_profile(
    "decoder",
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("decoder")

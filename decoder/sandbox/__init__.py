"""The only place that speaks to Valkey: servers, key names, scripts and their tracing, limits."""

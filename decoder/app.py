"""The application: wiring only. `create_app(settings)` makes a WSGI application."""

from __future__ import annotations

import os

from flask import Flask
from htmx_flask import Htmx
from jinja2 import StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import LuaLexer
from werkzeug.middleware.proxy_fix import ProxyFix

from decoder.course import dive
from decoder.errors import SettingsError
from decoder.figures import FIGURES
from decoder.figures.desk import Desk
from decoder.readings import ladder
from decoder.settings import Settings, files
from decoder.web import assets, errors, health, pages, rows, runs, security, slow, view
from decoder.web.admission import Admission


def create_app(settings: Settings | None = None) -> Flask:
    """Make the application; without `settings` they are read from the environment.

    Raises SettingsError when there is no Valkey to talk to or no secret to sign with, and
    ScriptFault or CourseFault when a script or a page of ours is broken.
    """
    settings = settings or Settings.from_environment(os.environ)
    if not settings.valkey_url:
        raise SettingsError("DECODER_VALKEY_URL is empty: start with `decoder serve`.")
    if not settings.secret:
        raise SettingsError(
            "DECODER_SECRET is needed with a server of your own: any long random text, kept."
        )
    app = Flask("decoder", template_folder=str(files("templates")), static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = errors.REQUEST_BYTES_MOST
    app.json.sort_keys = False  # type: ignore[attr-defined]
    Htmx(app)
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, count, count, count)  # type: ignore[method-assign]
    app.wsgi_app = slow.timed(app.wsgi_app, settings.request_seconds)  # type: ignore[method-assign,assignment]
    desk = Desk(settings, files("lua"))
    app.extensions["desk"] = desk
    shown = pages.Pages(desk, Admission(settings), dive.load(files("content"), FIGURES))
    static = assets.Assets(files("static"))
    _templates(app, desk, static, shown)
    app.register_blueprint(assets.blueprint(static))
    app.register_blueprint(pages.blueprint(shown))
    app.register_blueprint(runs.blueprint(shown, app.jinja_env))
    app.register_blueprint(health.blueprint(desk))
    errors.register(app, settings.request_seconds)
    app.after_request(security.headers(settings.https))
    return app


def _templates(app: Flask, desk: Desk, static: assets.Assets, shown: pages.Pages) -> None:
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.globals.update(
        asset=static.url,
        dives=shown.dives,
        script=_coloured(desk),
        hex_halves=view.hex_halves,
        lost=view.lost,
        steps_html=rows.steps_html,
        ladder_html=rows.ladder_html,
        members_html=rows.members_html,
        axis_svg=rows.axis_svg,
        served_html=rows.served_html,
        limits=desk.settings,
    )
    environment.filters.update(
        digits=view.digits,
        grouped=view.grouped,
        short=ladder.short,
        ordinal=ladder.ordinal,
        telling=view.telling,
        hcon=view.hcon,
    )
    for name in environment.list_templates():
        environment.get_template(name)


def _coloured(desk: Desk) -> dict[str, Markup]:
    formatter = HtmlFormatter(nowrap=True)
    return {
        name: Markup(highlight(one.source, LuaLexer(), formatter))
        for name, one in desk.scripts.items()
    }

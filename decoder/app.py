"""The application: wiring only. `create_app(settings)` makes a WSGI application."""

from __future__ import annotations

import os
from collections.abc import Mapping

from flask import Flask
from htmx_flask import Htmx
from jinja2 import StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import LuaLexer
from werkzeug.middleware.proxy_fix import ProxyFix

from decoder.course import front, guide
from decoder.course.course import Course
from decoder.errors import SettingsError
from decoder.figures import FIGURES, library, stepping, syllabus
from decoder.figures.desk import Desk
from decoder.readings import ladder
from decoder.settings import Settings, files
from decoder.web import (
    answer,
    assets,
    cells,
    decoded,
    directory,
    embed,
    errors,
    frame,
    health,
    hues,
    offline,
    pages,
    picture,
    rows,
    runs,
    security,
    sharing,
    site,
    slow,
    tables,
    takeaway,
    transcripts,
    view,
)  # fmt: skip
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
    # Of a body without a length the library reads this much and drops the rest unsaid: one byte
    # more than may be, so that the limit itself is passed and slow.py refuses.
    app.config["MAX_CONTENT_LENGTH"] = errors.REQUEST_BYTES_MOST + 1
    app.json.sort_keys = False  # type: ignore[attr-defined]
    Htmx(app)
    if settings.trusted_proxies:
        count = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, count, count, count)  # type: ignore[method-assign]
    within = settings.request_seconds, errors.REQUEST_BYTES_MOST
    app.wsgi_app = slow.limited(app.wsgi_app, *within)  # type: ignore[method-assign,assignment]
    desk = Desk(settings, files("lua"))
    app.extensions["desk"] = desk
    course = syllabus.read(desk.scripts, settings)
    for file, fault in course.faults:
        app.logger.warning("%s:%d: %s", file, fault.line, fault.sentence)
    shown = pages.Pages(desk, Admission(settings), course, library.collect(desk.scripts, course))
    static = assets.Assets(files("static"))
    origin = site.Origin(settings.public_url)
    groups = directory.groups(course, shown.library)
    _templates(app, desk, static, shown, origin)
    app.register_blueprint(assets.blueprint(static))
    app.register_blueprint(embed.blueprint(shown))
    element = files("static") / "embed.js"
    app.register_blueprint(sharing.blueprint(sharing.Sharing(shown, origin), element))
    app.register_blueprint(pages.blueprint(shown))
    app.register_blueprint(picture.blueprint(shown, origin))
    app.register_blueprint(offline.blueprint(shown, static, origin))
    app.register_blueprint(runs.blueprint(shown, app.jinja_env))
    app.register_blueprint(transcripts.blueprint(shown, app.jinja_env))
    app.register_blueprint(takeaway.blueprint(shown, origin))
    app.register_blueprint(health.blueprint(desk))
    app.register_blueprint(site.blueprint(groups, origin))
    errors.register(app, settings.request_seconds, groups)
    app.before_request(security.preflight)
    app.after_request(security.headers(settings.https))
    return app


def _templates(
    app: Flask, desk: Desk, static: assets.Assets, shown: pages.Pages, origin: site.Origin
) -> None:
    environment = app.jinja_env
    environment.undefined = StrictUndefined
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.globals.update(
        asset=static.url,
        absolute=origin.absolute,
        course=shown.course,
        figures=FIGURES,
        front_matter=front.FIELDS,
        needed=front.REQUIRED,
        guide=_guide(shown.course),
        library=shown.library,
        script=_coloured({name: one.source for name, one in desk.scripts.items()}),
        listing=_coloured({name: one.listing for name, one in desk.scripts.items()}),
        body=_coloured({name: one.body for name, one in desk.scripts.items()}),
        standing=directory,
        hex_halves=view.hex_halves,
        frame_parts=frame.PARTS,
        frame_steps=stepping.links,
        lost=view.lost,
        executed_html=rows.executed_html,
        steps_html=rows.steps_html,
        ladder_html=rows.ladder_html,
        members_html=rows.members_html,
        axis_svg=rows.axis_svg,
        served_html=rows.served_html,
        cells_html=cells.cells_html,
        meanings_html=tables.meanings_html,
        table_html=tables.table_html,
        inside_html=cells.inside_html,
        cells_of=cells.cells_of,
        bits_summary=cells.summary,
        limits=desk.settings,
    )
    environment.filters.update(
        digits=view.digits,
        grouped=view.grouped,
        short=ladder.short,
        ordinal=ladder.ordinal,
        telling=view.telling,
        hcon=view.hcon,
        hue=cells.hue,
        markdown=view.markdown,
        lines=answer.keeping_lines,
        preview=view.preview,
        hues=hues.hues,
        hues_of_formula=hues.hues_of_formula,
        hues_of_text=hues.hues_of_text,
        decoded=decoded.once(desk.scripts),
    )
    for name in environment.list_templates():
        environment.get_template(name)


def _coloured(sources: Mapping[str, str]) -> dict[str, Markup]:
    formatter = HtmlFormatter(nowrap=True)
    return {
        name: Markup(highlight(source, LuaLexer(), formatter)) for name, source in sources.items()
    }


def _guide(course: Course) -> dict[str, str]:
    """Return the Markdown of each section of /instructors, none where that page is broken."""
    if guide.PATH not in course.dives:
        return {}
    return guide.sources(guide.file().read_text("utf-8"))

# Score Decoder in one container, with a Valkey of its own inside:
#
#     docker build --tag score-decoder .
#     docker run --rm --init --publish 8000:8000 score-decoder
#
# compose.yaml puts a separate Valkey beside it.

FROM python:3.13-slim AS build
WORKDIR /build
RUN python -m venv /opt/decoder
COPY requirements.lock ./
RUN /opt/decoder/bin/pip install --no-cache-dir --only-binary :all: --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY decoder ./decoder
COPY templates ./templates
COPY static ./static
COPY lua ./lua
COPY content ./content
# The build backend came with the lock, so nothing unpinned is downloaded for it.
RUN /opt/decoder/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
RUN groupadd --gid 1001 decoder \
  && useradd --uid 1001 --gid 1001 --no-create-home --shell /usr/sbin/nologin decoder
# The base image leaves Python's own library uncompiled; each start and health check would do it.
RUN python -m compileall -q -x '/(test|tests|idlelib)/' /usr/local/lib/python3.13
COPY --from=build /opt/decoder /opt/decoder
ENV PATH=/opt/decoder/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 TMPDIR=/tmp PORT=8000
USER 1001:1001
WORKDIR /opt/decoder
EXPOSE 8000
# Ready means that a real move was stored and read back; urlopen raises for every other answer.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
CMD ["decoder", "serve", "--host", "0.0.0.0"]

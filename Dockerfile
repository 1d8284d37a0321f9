# docker build -t sclite-kit .
# docker run --rm -v "$PWD:/data" sclite-kit sclite -r reference.trn -h hypothesis.trn -i spu_id -o sum stdout
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN SCLITE_KIT_REQUIRE_NATIVE=1 pip wheel --no-cache-dir --wheel-dir /wheels /source

FROM python:3.12-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-compile --no-index --find-links /wheels sclite-kit \
    && useradd --no-create-home scorer
USER scorer
WORKDIR /data
# any of the programs: the first argument names it
ENTRYPOINT ["/usr/bin/env"]
CMD ["scoring", "--help"]

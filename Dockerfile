# Weir on one server, in a container: docs/one-server.md. `docker compose up` runs it beside ClickHouse.
ARG NODE_IMAGE=node:22-bookworm-slim
FROM ${NODE_IMAGE}
WORKDIR /opt/weir

COPY package.json package-lock.json ./
COPY src/client/package.json src/client/
COPY test/bench/package.json test/bench/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

# Bundles everything now, so that Weir starts faster and writes nothing here.
COPY . .
RUN npm run prepare && npm run bundle && rm -rf /tmp/*

# The user id is fixed, because files in volumes belong to it.
RUN useradd --uid 10001 weir && install -d -o weir -g weir -m 700 /data /backups \
  && printf '#!/bin/sh\ncd /opt/weir && exec node --import tsx src/local/command-line.ts --data-dir /data/weir "$@"\n' \
    > /usr/local/bin/weir && chmod 755 /usr/local/bin/weir
USER weir
# The commit from which this image is built. Weir records it in the data folder.
ARG WEIR_COMMIT=
ENV NODE_ENV=production HOME=/data WEIR_COMMAND=weir WEIR_COMMIT=${WEIR_COMMIT}
VOLUME ["/data", "/backups"]
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["weir"]
CMD ["serve", "--host", "0.0.0.0"]

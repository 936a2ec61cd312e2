# Temporal's native library needs glibc, so no Alpine.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
# The package's own script builds; the sources come after this, so that a change of them keeps the layer.
RUN npm ci --ignore-scripts
COPY . .
# Temporal's library brings binaries for every platform, of which one is needed.
RUN npm run build && node deploy/fetch-extensions.mjs && npm prune --omit=dev --ignore-scripts \
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && mkdir --mode=0700 /data /out && mkdir --parents /app/data && chown node:node /data /out /app/data && chmod 0700 /app/data && ln -s /app/bin/tieout.mjs /usr/local/bin/tieout
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/.cache ./.cache
COPY --from=build /app/bin ./bin
COPY --from=build /app/sql ./sql
COPY --from=build /app/dist ./dist
ENV TIEOUT_CACHE=/app/.cache TIEOUT_LAKE=/data TIEOUT_OUT=/out
USER node
ENTRYPOINT ["node", "bin/tieout.mjs"]
CMD ["worker"]

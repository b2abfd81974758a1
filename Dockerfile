# A server for a team. The image contains no secrets; pass them as environment variables.

FROM node:24.21.0-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/package.json
COPY elements/package.json ./elements/package.json
COPY server/package.json ./server/package.json
COPY app/package.json ./app/package.json
COPY create-tiding/package.json ./create-tiding/package.json
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json rollup.config.mjs NOTICE ./
COPY client ./client
COPY elements ./elements
COPY server ./server
COPY app ./app
COPY scripts ./scripts
COPY examples ./examples
COPY test/fixtures/widgets ./test/fixtures/widgets
RUN npm run build && npm ci --omit=dev --workspace tiding --no-audit --no-fund

FROM node:24.21.0-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir /data && chown node:node /data
WORKDIR /tiding
COPY --from=build /build/package.json ./package.json
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/client/package.json ./client/package.json
COPY --from=build /build/client/dist ./client/dist
COPY --from=build /build/server/package.json ./server/package.json
COPY --from=build /build/server/bin ./server/bin
COPY --from=build /build/server/samples/data ./server/samples/data
COPY --from=build /build/server/dist ./server/dist
ENV NODE_ENV=production TIDING_DATA=/data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Larger young generations take 20 MB more and make nothing faster.
CMD ["node", "--max-semi-space-size=4", "server/bin/tiding.mjs", "--host", "0.0.0.0", "--port", "8080", "--no-open"]

# A server for a team: docs/team.md tells what to set. No secret is in the image; they come from the environment.

FROM node:20-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json rollup.config.mjs ./
COPY client ./client
COPY node ./node
COPY elements ./elements
COPY app ./app
COPY bin ./bin
COPY scripts ./scripts
COPY examples ./examples
COPY test/fixtures/widgets ./test/fixtures/widgets
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir /data && chown node:node /data
WORKDIR /tiding
COPY --from=build /build/package.json ./package.json
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist/lib ./dist/lib
COPY --from=build /build/dist/web ./dist/web
ENV NODE_ENV=production TIDING_DATA=/data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/tiding.mjs", "--host", "0.0.0.0", "--port", "8080", "--no-open"]

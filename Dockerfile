# The server, API and web interface, with what it needs to run and nothing else. It expects a PostgreSQL in DATABASE_URL:
# the embedded one is an optional package and is left out here, as is the runtime that npm brings, because the base image has
# the same.
FROM node:26.10.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26.10.0-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY src ./src
COPY web ./web
RUN npm run build

FROM node:26.10.0-slim
# The last one returns freed memory to the system, see Sizing in docs/OPERATING.md.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 ASSIZE_DATA=/var/lib/assize MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY verifier ./verifier
COPY --from=web /app/web/dist ./web/dist
# The newest checkpoint of the log, the time of the last backup and uploads; a volume keeps them over a restart.
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/assize
VOLUME /var/lib/assize
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/v1/health').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Any command of Assize can be used instead of `serve`.
ENTRYPOINT ["node", "src/cli/assize.ts"]
CMD ["serve"]

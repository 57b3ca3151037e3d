# docker build -t understudy .
# docker run --rm -p 8080:8080 understudy serve --demo

# Exact versions, so that today's build and tomorrow's have the same bases. docs/install.md describes how to pin them by digest.
FROM swift:6.3.1-bookworm AS build
WORKDIR /understudy
COPY . .
# What --version prints: docker build --build-arg UNDERSTUDY_COMMIT="$(git rev-parse --short=12 HEAD)" …
ARG UNDERSTUDY_COMMIT
RUN scripts/package

FROM debian:12.12-slim
LABEL org.opencontainers.image.title="Understudy" \
    org.opencontainers.image.description="HTTP server for business logic without its screens" \
    org.opencontainers.image.version="0.1.0" \
    org.opencontainers.image.licenses="Apache-2.0"
# Mounted rather than copied, so that no layer of the image contains the package itself.
RUN --mount=type=bind,from=build,source=/understudy,target=/build \
    /build/scripts/lib/install-image /build/.build/package/understudy_*.deb
# By number, so that an orchestrator can verify that it is not root.
USER 10001:10001
VOLUME /var/lib/understudy
ENV UNDERSTUDY_HOST=0.0.0.0 UNDERSTUDY_DRAIN_DELAY=5s
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["understudy", "healthcheck"]
ENTRYPOINT ["understudy"]
CMD ["serve"]

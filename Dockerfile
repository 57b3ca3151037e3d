# docker build -t understudy .
# docker run --rm -p 8080:8080 understudy serve --demo

# Exact versions, so that today's build and tomorrow's have the same bases. docs/operating.md describes how to pin them by digest.
FROM swift:6.3.1-bookworm AS build
WORKDIR /understudy
COPY . .
RUN scripts/build --stripped /usr/local/bin/understudy

FROM debian:12.12-slim
# What the binary is linked with and the image may lack. The other libraries come along: libgnutls30 and what it needs.
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libmicrohttpd12 libsodium23 libsqlite3-0 libstdc++6 libgcc-s1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/understudy /usr/local/bin/
RUN install -d -m 0700 -o 65534 -g 65534 /data
USER 65534:65534
VOLUME /data
ENV UNDERSTUDY_HOST=0.0.0.0 UNDERSTUDY_DATA=/data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["understudy", "healthcheck"]
ENTRYPOINT ["understudy"]
CMD ["serve"]

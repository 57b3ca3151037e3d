-- Sends one and the same POST all the time. wrk builds such a request once, so the client costs next to nothing.
-- From the environment: BODY, TOKEN (the bearer token).
wrk.method = "POST"
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")

dofile(os.getenv("WRK_SCRIPTS") .. "/done.lua")

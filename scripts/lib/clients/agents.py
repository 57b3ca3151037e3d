"""Uses every tool of a server with the clients of others: mcp in both revisions, and fastmcp.

usage: agents.py demo|orders ADDRESS
"""

import asyncio
import json
import sys
import urllib.request

import httpx2
from fastmcp import Client as FastClient
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

NAME, ADDRESS = sys.argv[1:]


def post(path: str, values: dict | None = None, event: str | None = None, token: str | None = None) -> dict:
    body = {"values": values or {}} | ({"event": event} if event else {})
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    request = urllib.request.Request(ADDRESS + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def agent_tokens() -> dict[str, str]:
    """The tokens of agents that a user has made: one that may change things, and one that may look."""
    token = post("/login", {"username": "alfred", "password": "pennyworth"}, token=post("/session")["token"])["token"]
    tokens = {}
    for may_change in (True, False):
        values = {"agentName": "agent", "agentDays": 1, "agentMayChange": may_change, "password": "pennyworth"}
        commands = post("/account", values, "addAgentButtonPressed", token)["commands"]
        tokens["changes" if may_change else "looks"] = next(c["value"] for c in commands if c.get("key") == "agentToken")
    return tokens


def sample(schema: dict):
    """A value that a schema allows."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: sample(member) for name, member in schema.get("properties", {}).items()}
    if kind == "array":
        return [sample(schema["items"])] * max(1, schema.get("minItems", 0))
    if kind == "string":
        known = {"date": "2027-03-01", "date-time": "2027-03-01T09:30:00Z"}
        return known.get(schema.get("format"), "a" * max(1, schema.get("minLength", 0)))
    return {"integer": max(1, schema.get("minimum", 1)), "number": 1.5, "boolean": True}.get(kind)


def use(names: list[str]) -> None:
    assert names == sorted(set(names), key=names.index), "two tools have the same name"
    assert not any("password" in name.lower() for name in names), names


async def call_all(client, tools) -> tuple[int, int]:
    refused = 0
    # A logout ends the session, and so comes last. The end of all sessions would end the agent as well.
    for tool in sorted(tools, key=lambda tool: "logout" in tool.name):
        if "endSessions" in tool.name:
            continue
        result = await client.call_tool(tool.name, sample(tool.input_schema) or {})
        assert result.content[0].text.strip() and result.is_error in (True, False), tool.name
        refused += result.is_error
    return len(tools), refused


async def follow(client, tool) -> None:
    """The page of a tool says that it has changed."""
    uri = "understudy://page/" + tool.name.split("_")[0]
    async with client.listen(resource_subscriptions=[uri]) as changes:
        assert changes.honored.resource_subscriptions == [uri], changes.honored
        await client.call_tool(tool.name, sample(tool.input_schema) or {})
        assert (await asyncio.wait_for(anext(changes), 30)).uri == uri


async def use_mcp(token: str, mode: str) -> str:
    async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + token}) as http:
        async with Client(streamable_http_client(ADDRESS + "/mcp", http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            use([tool.name for tool in tools])
            for resource in (await client.list_resources()).resources:
                json.loads((await client.read_resource(resource.uri)).contents[0].text)
            if mode == "2026-07-28":
                await follow(client, tools[0])
            if NAME == "demo":
                wrong = await client.call_tool("products_onSelected", {"product": 3})
                assert wrong.is_error and "Rejected: product" in wrong.content[0].text, wrong
            count, refused = await call_all(client, tools)
            return f"{mode}: {count} tools, {refused} calls refused"


async def use_fastmcp(token: str) -> str:
    async with FastClient(ADDRESS + "/mcp", auth=token) as client:
        tools = await client.list_tools()
        assert tools
        for tool in tools:
            if "logout" not in tool.name and "endSessions" not in tool.name:
                await client.call_tool(tool.name, sample(tool.input_schema) or {}, raise_on_error=False)
        return f"fastmcp: {len(tools)} tools"


async def main() -> None:
    results = []
    for mode in ("2026-07-28", "legacy", "auto"):
        results.append(await use_mcp(post("/session")["token"], mode))
    results.append(await use_fastmcp(post("/session")["token"]))
    if NAME == "demo":
        tokens = agent_tokens()
        results.append("an agent of a user that looks, " + await use_mcp_of_looker(tokens["looks"]))
        results.append("one that changes, " + await use_mcp(tokens["changes"], "auto"))
    print(f"=> agents of {NAME}: " + "; ".join(results))


async def use_mcp_of_looker(token: str) -> str:
    async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + token}) as http:
        async with Client(streamable_http_client(ADDRESS + "/mcp", http_client=http)) as client:
            tools = (await client.list_tools()).tools
            assert tools and all(tool.annotations.read_only_hint for tool in tools), tools
            result = await client.call_tool("account_viewDidLoad", {})
            assert result.structured_content["shown"]["username"] == "alfred", result
            return f"{len(tools)} tools"


asyncio.run(main())

"""A Prefect server on loopback, in a process of its own; says the port it listens on once it answers.

Its tables are made as its models say: a hundred migrations take as long as all the rest. No page of its own, and none
of the services that look for late runs or old records.
"""

import asyncio
import os
import socket

SETTINGS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false",
    "PREFECT_API_BLOCKS_REGISTER_ON_START": "false",
    "PREFECT_UI_ENABLED": "false",
    "DO_NOT_TRACK": "1",
}


async def serve() -> None:
    import uvicorn
    from prefect.server.api.server import create_app
    from prefect.server.database import provide_database_interface
    from sqlalchemy.schema import CreateIndex, CreateTable

    database = provide_database_interface()
    engine = await database.engine()
    async with engine.begin() as connection:
        for table in database.Base.metadata.sorted_tables:
            await connection.execute(CreateTable(table, if_not_exists=True))
            for index in table.indexes:
                # Some are declared twice.
                await connection.execute(CreateIndex(index, if_not_exists=True))
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    await uvicorn.Server(uvicorn.Config(create_app(), log_level="critical")).serve([listening])


if __name__ == "__main__":
    os.environ.pop("PREFECT_API_URL", None)
    os.environ.update(SETTINGS)
    asyncio.run(serve())

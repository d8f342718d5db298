"""Runs that a killed service left behind: the server holds them for running, and keeps the next night waiting."""

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterDeploymentId,
    FlowRunFilterId,
    FlowRunFilterState,
    FlowRunFilterStateType,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import State, StateType
from prefect.states import Crashed

UNDER_WAY = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]

MESSAGE = "killed with the service that ran it; what was finished is kept, and the next run goes on from there"


def end_killed_runs() -> None:
    """Marks what runs by the schedule as crashed. To be called before the one service of a server takes up a run."""
    crashed: State[None] = Crashed(message=MESSAGE)
    runs_under_way = FlowRunFilter(
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=UNDER_WAY)),
        deployment_id=FlowRunFilterDeploymentId(is_null_=False),
    )
    with get_client(sync_client=True) as client:
        for run in client.read_flow_runs(flow_run_filter=runs_under_way):
            tasks = client.read_task_runs(
                flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[run.id])),
                task_run_filter=TaskRunFilter(
                    state=TaskRunFilterState(type=TaskRunFilterStateType(any_=UNDER_WAY)),
                ),
            )
            for task in tasks:
                client.set_task_run_state(task.id, crashed, force=True)
            client.set_flow_run_state(run.id, crashed, force=True)

"""The client of Restyle: `Client` for scripts and notebooks, `AsyncClient` for programs with an event loop."""

from restyle._async.campaign import AsyncCampaign
from restyle._async.client import AsyncClient
from restyle._async.export import AsyncExport
from restyle._async.job import AsyncJob
from restyle._async.study import AsyncStudy
from restyle._async.system import AsyncSystem
from restyle._sync.campaign import Campaign
from restyle._sync.client import Client
from restyle._sync.export import Export
from restyle._sync.job import Job
from restyle._sync.study import Study
from restyle._sync.system import System
from restyle.errors import (
    Conflict,
    JobFailed,
    NoAnswer,
    NotAllowed,
    NotFound,
    NotRestyle,
    NotSetUp,
    OpenQuestions,
    Refused,
    RestyleError,
    SiteFailed,
    WrongToken,
)
from restyle.exchange import Patience
from restyle.frames import Rows
from restyle.report import Report

__version__ = "0.2.0"
__all__ = [
    "AsyncCampaign", "AsyncClient", "AsyncExport", "AsyncJob", "AsyncStudy", "AsyncSystem", "Campaign", "Client",
    "Conflict", "Export", "Job", "JobFailed", "NoAnswer", "NotAllowed", "NotFound", "NotRestyle", "NotSetUp",
    "OpenQuestions", "Patience", "Refused", "Report", "RestyleError", "Rows", "SiteFailed", "Study", "System",
    "WrongToken",
]  # fmt: skip

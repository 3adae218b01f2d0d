# SPDX-License-Identifier: MIT
"""Explains, draws and checks Carpool's plans of message combining, without MPI."""

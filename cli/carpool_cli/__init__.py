"""Explains, draws and checks Carpool's plans of message combining, without MPI."""

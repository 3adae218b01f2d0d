# SPDX-License-Identifier: MIT
"""Each form of an operation, run to its end."""

FORMS = ["blocking", "nonblocking", "persistent", "background"]


def run(form, name, owner, *given):
    """`owner` has the functions; what they give has ended, and a request was started twice."""
    if form == "blocking":
        getattr(owner, name)(*given)
    elif form == "nonblocking":
        getattr(owner, f"i{name}")(*given).Wait()
    else:
        init = getattr(owner, f"{'i' * (form == 'background')}{name}_init")
        with init(*given) as request:
            request.start().wait()
            request.start()
            while not request.test():
                pass
            assert request.plan

"""Runs third-party code with a time limit."""


def within(seconds, work, error):
    """Call `work()` and return its result; raise `error` inside it once `seconds` have passed.

    `error` should be a BaseException, so that the code does not catch it by accident. There is no limit when an alarm
    timer is already running, in threads other than the main thread, and on systems without `setitimer`.
    """
    import signal

    def end(_signal, _frame):
        raise error

    if not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        return work()
    try:
        before = signal.signal(signal.SIGALRM, end)
    except ValueError:
        return work()  # not the main thread
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

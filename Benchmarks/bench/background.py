"""Something that happens repeatedly while a server is measured."""

import threading


class Repeated:
    """Repeats an action in a thread until the end of the `with` statement, with a pause of so many seconds before each."""

    def __init__(self, action, pause=0.0):
        self.action, self.pause = action, pause
        self.count = 0
        self.failure = None
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, kind, *_):
        self.end.set()
        self.thread.join()
        if self.failure and not kind:
            raise self.failure

    def work(self):
        try:
            while not self.end.wait(self.pause):
                self.action()
                self.count += 1
        except Exception as failure:  # raised again in the thread that waits
            self.failure = failure

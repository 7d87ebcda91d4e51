"""Games of other libraries, each as a `Game`: `games.find("LIBRARY:NAME")`. One file a library, found by its `name`."""

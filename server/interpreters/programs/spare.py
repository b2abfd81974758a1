def _tiding_spare():
    """Prepares a kernel that starts before it is known which note it will serve.

    Returns the function that hands it over to a note, as if it had started in the note's folder.
    """
    import os
    import site
    import sys

    from IPython import get_ipython
    from IPython.core.profiledir import ProfileDir

    shell = get_ipython()
    kernel = shell.kernel
    app = kernel.parent

    def installed():
        """Returns when the contents of the folders of modules changed last.

        Python reads some files only at its start, for example those of editable installs.
        """
        own = os.path.abspath(app.ipython_dir)
        paths = [path for path in sys.path if path and os.path.abspath(path) != own]
        if site.ENABLE_USER_SITE:
            paths.append(site.getusersitepackages())
        times = {}
        for path in paths:
            try:
                times[path] = os.stat(path).st_mtime_ns
            except OSError:
                times[path] = None
        return times

    at_start = installed()

    def hand_over(folder, ipython_dir):
        if installed() != at_start:
            raise RuntimeError('Packages were installed after the kernel had started')
        os.chdir(folder)
        os.makedirs(ipython_dir, exist_ok=True)
        os.environ['IPYTHONDIR'] = ipython_dir
        app.ipython_dir = ipython_dir
        profile = ProfileDir.create_profile_dir_by_name(ipython_dir, app.profile)
        app.profile_dir = kernel.profile_dir = shell.profile_dir = profile
        shell.ipython_dir = ipython_dir
        # The store of `%store`. Old versions of IPython open it at the start.
        if hasattr(shell, '_db'):
            shell._db = None
        elif hasattr(shell.db, 'root'):
            shell.db = type(shell.db)(os.path.join(profile.location, 'db'))
        shell.starting_dir = os.getcwd()
        shell.user_ns['_dh'][:] = [type(each)(os.getcwd()) for each in shell.user_ns['_dh'][:1]]

    return hand_over


_tiding_hand_over = _tiding_spare()
del _tiding_spare

#!/usr/bin/env python3
"""Finds or provides what the build needs, and says where it is.

    provision.py [--for libraries,wasm,tests,format,fuzz] [--format lines|json]

An `emcc` on the PATH is used when its version is known to work. Elsewhere, on Debian, the packages
of the release named in RELEASE are unpacked into the user's cache folder: no root, nothing of the
system changes. Progress goes to standard error, the answer (`name=value` lines) to standard output.

Every stage leaves a mark only when it is complete, so an interrupted run goes on where it was.
Python's standard library only, because this runs before anything else is there.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

RELEASE = 'trixie'
EMSCRIPTEN = '3.1.69'
OLDEST = (3, 1, 57)
NEWEST_TRIED_MAJOR = 6
LLVM = '19'

# Raise this when the way in which things are unpacked or patched changes.
RECIPE = 2

RUNTIME = """libc6 libstdc++6 libgcc-s1 libz3-4 libxml2 libedit2 libbsd0 libmd0 libtinfo6 zlib1g
    libzstd1 liblzma5 libicu76 libffi8 libllvm19 libclang-cpp19 patchelf""".split()
PACKAGES = {
    'libraries': ['libxtensor-dev', 'libxsimd-dev', 'xtl-dev'],
    'wasm': ['emscripten', 'binaryen', 'clang-19', 'lld-19', 'llvm-19', 'llvm-19-linker-tools',
             'libclang-common-19-dev', 'node-acorn', 'node-xtend', *RUNTIME],
    'tests': ['nlohmann-json3-dev'],
    'format': ['clang-format-19', *RUNTIME],
}
SOURCES = {'tests': ['catch2']}

# The same clang for programs of this machine, with the fuzzer's and the sanitizers' runtime and the C and C++
# libraries that these were built for. Not part of the recipe's name: only the command that fuzzes asks for it,
# and it only adds to the compiler's root, so that nobody else unpacks anything anew.
RECIPE_PARTS = tuple(PACKAGES)
CLANG_RUNTIME = 'libclang-rt-19-dev'
PACKAGES['fuzz'] = ['clang-19', 'llvm-19', 'lld-19', 'llvm-19-linker-tools', 'libclang-common-19-dev', *RUNTIME,
                    CLANG_RUNTIME, 'libc6-dev', 'linux-libc-dev', 'libstdc++-14-dev', 'libgcc-14-dev']
# Headers live apart from the compiler's root: a compiler for WebAssembly that is given a root as an
# include folder must never meet another C library's headers there.
ROOT_OF = {'libraries': 'libraries', 'tests': 'libraries', 'wasm': 'toolchain', 'format': 'toolchain',
           'fuzz': 'toolchain'}

LEFT_OUT = [
    './usr/share/doc', './usr/share/man', './usr/share/locale', './usr/share/lintian',
    './usr/share/bash-completion', './usr/lib/*/gconv',
    './usr/share/nodejs/@types',  # tsc would take them up while emcc writes types, and stumble
    './usr/lib/llvm-*/build', './usr/lib/llvm-*/lib/*.a', './usr/lib/llvm-*/share',
    './usr/share/emscripten/test', './usr/share/emscripten/docs', './usr/share/emscripten/ChangeLog*',
    # System libraries for threads, whole-program linking, memory checkers and all but the plainest OpenGL (which
    # every link asks for): 1.4 GB.
    *(f'./usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/{pattern}' for pattern in (
        'libGL-[efmow]*', '*-mt.a', '*-mt-*', '*-ww.a', '*-ww-*', '*asan*', '*lsan*', '*memvalidate*', '*verbose*', 'lto',
        'lto-pic', 'pic')),
]
# What the compiler driver, the linker driver and the tests run; the rest stays unpatched.
EXECUTABLES = ['usr/lib/llvm-19/bin/' + name for name in (
    'clang', 'clang-19', 'lld', 'wasm-ld', 'llvm-ar', 'llvm-ranlib', 'llvm-nm', 'llvm-objcopy', 'llvm-strip',
    'llvm-size', 'llvm-dwarfdump', 'llvm-dwp', 'llvm-objdump', 'llvm-cxxfilt', 'clang-format')] + [
    'usr/bin/' + name for name in (
        'wasm-opt', 'wasm-emscripten-finalize', 'wasm-metadce', 'wasm-ctor-eval', 'wasm-split', 'wasm-as',
        'wasm-dis', 'wasm2js')]

EXECUTABLES_FOR_FUZZING = ['usr/lib/llvm-19/bin/llvm-symbolizer']

# Handed on to every program that is started, so that the lock holds until the last of them has ended, also
# when this one is killed.
HELD = []


class Problem(Exception):
    """Something that the person at the keyboard can put right; the text says how."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def cache_folder():
    base = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
    return pathlib.Path(base) / 'attention-deck'


def recipe_name():
    def only(table):
        return {part: value for part, value in table.items() if part in RECIPE_PARTS}

    recipe = json.dumps([RECIPE, only(PACKAGES), SOURCES, only(ROOT_OF), LEFT_OUT, EXECUTABLES])
    return f'{RELEASE}-{hashlib.sha256(recipe.encode()).hexdigest()[:10]}'


def write_atomically(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f'.{path.name}.{os.getpid()}')
    fresh.write_text(text)
    fresh.chmod(mode)
    fresh.replace(path)


def link_atomically(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f'.{path.name}.{os.getpid()}')
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(path)


def run(command, **options):
    """Runs a command silently; its output is shown only when it fails."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, text=True, pass_fds=HELD, **options)
    if done.returncode:
        tail = '\n'.join((done.stdout + done.stderr).strip().splitlines()[-25:])
        raise Problem(f'`{" ".join(str(part) for part in command[:4])} …` failed:\n{tail}')
    return done.stdout


# ---------------------------------------------------------------- the compiler that is there already


def parse_version(text):
    found = re.search(r'\b(\d+)\.(\d+)\.(\d+)', text)
    return tuple(int(part) for part in found.groups()) if found else None


def emcc_on_path():
    """The emcc on the PATH if it is usable, with its version; else None, having said why."""
    emcc = shutil.which('emcc')
    if not emcc:
        return None
    # Asking emcc takes a third of a second, too long for a check at every build.
    seen = cache_folder() / 'emcc-versions.json'
    status = os.stat(emcc)
    key = f'{emcc} {status.st_mtime_ns} {status.st_size}'
    try:
        known = json.loads(seen.read_text())
    except (OSError, ValueError):
        known = {}
    if key not in known:
        answer = subprocess.run([emcc, '--version'], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        known[key] = parse_version(answer.stdout) if answer.returncode == 0 else None
        if known[key]:
            write_atomically(seen, json.dumps(known))
    version = known[key] and tuple(known[key])
    if not version:
        say(f'emcc at {emcc} does not answer `emcc --version`: not used.')
        return None
    name = '.'.join(map(str, version))
    if version < OLDEST:
        say(f'emcc {name} at {emcc} is older than {".".join(map(str, OLDEST))}: not used.')
        return None
    if version[0] > NEWEST_TRIED_MAJOR:
        say(f'emcc {name} is newer than the {NEWEST_TRIED_MAJOR}.x that this project was tried with.')
    # A link on the PATH may point into the installation, where CMake's toolchain file lies.
    return emcc, name


def emscripten_root(emcc):
    """The folder with cmake/Modules/Platform/Emscripten.cmake that belongs to an emcc."""
    tool = pathlib.Path(emcc)
    for candidate in (tool.parent, tool.resolve().parent, pathlib.Path('/usr/share/emscripten')):
        if (candidate / 'cmake/Modules/Platform/Emscripten.cmake').is_file():
            return candidate
    config = tool.parent / 'em-config'
    if config.is_file():
        root = pathlib.Path(run([config, 'EMSCRIPTEN_ROOT']).strip())
        if (root / 'cmake/Modules/Platform/Emscripten.cmake').is_file():
            return root
    raise Problem(f'No CMake toolchain file belongs to {emcc}. Put emcc of a whole Emscripten on the PATH.')


# ---------------------------------------------------------------- Debian's packages, unpacked privately


class Prefix:
    """One unpacked set of packages in the user's cache folder."""

    def __init__(self):
        self.home = cache_folder()
        self.path = self.home / recipe_name()
        self.marks = self.path / 'marks'
        self.downloads = self.home / 'downloads'
        self.apt = self.home / 'apt'

    def root(self, part):
        return self.path / ROOT_OF[part]

    def is_done(self, stage):
        return (self.marks / stage).is_file()

    def mark(self, stage):
        write_atomically(self.marks / stage, time.strftime('%Y-%m-%dT%H:%M:%S\n'))

    @contextlib.contextmanager
    def lock(self):
        import fcntl  # Absent on Windows, where only an emcc on the PATH can serve.
        self.home.mkdir(parents=True, exist_ok=True)
        with open(self.home / 'lock', 'w') as handle:
            HELD[:] = [handle.fileno()]
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say('Another run is preparing the toolchain: waiting for it.')
                fcntl.flock(handle, fcntl.LOCK_EX)
            try:
                yield
            finally:
                HELD.clear()


def check_debian():
    missing = [tool for tool in ('apt-get', 'dpkg-deb', 'tar') if not shutil.which(tool)]
    keyring = debian_keyring()
    if missing or not keyring:
        why = f'{", ".join(missing)} missing' if missing else 'the Debian keyring is missing'
        raise Problem(
            f'No usable emcc on the PATH, and Debian\'s packages cannot be used here ({why}).\n'
            'Install Emscripten 3.1.57 or newer (https://emscripten.org/docs/getting_started) and put emcc on '
            'the PATH' + ('.' if missing else ', or: apt-get install debian-archive-keyring'))


def debian_keyring():
    for name in ('debian-archive-keyring.gpg', 'debian-archive-keyring.pgp'):
        path = pathlib.Path('/usr/share/keyrings') / name
        if path.is_file():
            return path
    return None


def mirrors():
    """The addresses from which this machine takes Debian itself, the most likely first."""
    codename = ''
    with contextlib.suppress(OSError):
        found = re.search(r'^VERSION_CODENAME=(\S+)', pathlib.Path('/etc/os-release').read_text(), re.M)
        codename = found.group(1) if found else ''
    # Unlike `indextargets` this needs no lists, which a fresh machine does not have.
    listing = run(['apt-get', 'update', '--print-uris', '-oDebug::NoLocking=true'])
    suites = {codename, 'stable', 'testing', 'unstable', 'sid', RELEASE} - {''}
    found = []
    for uri, suite in re.findall(r"^'([^']+)dists/([^/']+)/(?:In)?Release'", listing, re.M):
        if suite in suites and 'security' not in uri and uri not in found:
            found.append(uri)
    return found


def machine():
    architecture = run(['dpkg', '--print-architecture']).strip()
    known = {'amd64': ('x86_64-linux-gnu', 'ld-linux-x86-64.so.2'),
             'arm64': ('aarch64-linux-gnu', 'ld-linux-aarch64.so.1')}
    if architecture not in known:
        raise Problem(f'Debian\'s packages are used on amd64 and arm64 only, and this is {architecture}. '
                      'Put emcc 3.1.57 or newer on the PATH.')
    return known[architecture]


def apt_options(prefix):
    return ['-c', prefix.apt / 'apt.conf', '-qq']


def write_apt_configuration(prefix):
    """Settings on top of the machine's own, so that a proxy or a transport of its stays in force."""
    area = prefix.apt
    settings = {
        'Dir::Etc::SourceList': area / 'sources.list',
        'Dir::Etc::SourceParts': '/dev/null',
        'Dir::State::Lists': area / 'lists',
        'Dir::Cache': area / 'cache',
        # Empty: what is installed on this machine is of no concern.
        'Dir::State::status': area / 'status',
        'Acquire::Languages': 'none',
        'Acquire::Retries': '3',
        'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
        'APT::Sandbox::User': '',
        'APT::Get::List-Cleanup': 'false',
        'Debug::NoLocking': 'true',
    }
    # The machine's programs that run after an update are about the machine, and need root.
    cleared = ['APT::Update::Pre-Invoke', 'APT::Update::Post-Invoke', 'APT::Update::Post-Invoke-Success']
    write_atomically(area / 'apt.conf', ''.join(
        [f'#clear {name};\n' for name in cleared] + [f'{name} "{value}";\n' for name, value in settings.items()]))


def prepare_apt(prefix, again=False):
    """Fetches the lists of packages into an apt area of our own."""
    if prefix.is_done('apt') and (prefix.apt / 'apt.conf').is_file() and not again:
        return
    for folder in ('lists/partial', 'cache/archives/partial'):
        (prefix.apt / folder).mkdir(parents=True, exist_ok=True)
    (prefix.apt / 'status').write_text('')
    write_apt_configuration(prefix)
    candidates = mirrors()
    if not candidates:
        raise Problem('apt names no mirror of Debian on this machine. '
                      'Put emcc 3.1.57 or newer on the PATH, or add a mirror to apt\'s sources.')
    failure = None
    for uri in candidates:
        options = f'[signed-by={debian_keyring()}]'
        (prefix.apt / 'sources.list').write_text(
            f'deb {options} {uri} {RELEASE} main\ndeb-src {options} {uri} {RELEASE} main\n')
        say(f'  lists of packages of Debian {RELEASE}')
        try:
            run(['apt-get', *apt_options(prefix), 'update', '-oAPT::Update::Error-Mode=any'])
            prefix.mark('apt')
            return
        except Problem as problem:
            failure = problem
    raise failure


def wanted_files(prefix, names, source=False):
    """(address, file name, size, SHA-256) of each file that apt would download."""
    verb = ['source', '--download-only'] if source else ['download']
    # From an empty folder: apt leaves out what already lies whole in the folder where it runs.
    empty = prefix.apt / 'empty'
    empty.mkdir(exist_ok=True)
    text = run(['apt-get', *apt_options(prefix), '--print-uris', *verb, *names], cwd=empty)
    found = []
    for line in text.splitlines():
        match = re.match(r"'([^']+)' (\S+) (\d+) (?:SHA256:)(\w+)", line)
        if match:
            found.append((match[2], int(match[3]), match[4]))
    return found


def is_intact(path, size, digest):
    if not path.is_file() or path.stat().st_size != size:
        return False
    with open(path, 'rb') as handle:
        return hashlib.file_digest(handle, 'sha256').hexdigest() == digest if hasattr(
            hashlib, 'file_digest') else hashlib.sha256(handle.read()).hexdigest() == digest


def download(prefix, names, source=False):
    """Downloads what is not there yet and returns {package: file}."""
    prefix.downloads.mkdir(parents=True, exist_ok=True)
    try:
        files = wanted_files(prefix, names, source)
    except Problem:
        prepare_apt(prefix, again=True)
        files = wanted_files(prefix, names, source)
    by_package = {}
    for name, size, digest in files:
        by_package.setdefault(name.split('_')[0], []).append((name, size, digest))
    absent = {package for package, entries in by_package.items()
              if not all(is_intact(prefix.downloads / entry[0], *entry[1:]) for entry in entries)}
    if absent:
        total = sum(size for package in absent for _, size, _ in by_package[package])
        for package in absent:
            for name, _, _ in by_package[package]:
                (prefix.downloads / name).unlink(missing_ok=True)
        fetch(prefix, sorted(absent), source, total,
              [name for package in absent for name, _, _ in by_package[package]])
        for package in absent:
            for name, size, digest in by_package[package]:
                if not is_intact(prefix.downloads / name, size, digest):
                    raise Problem(f'{name} arrived incomplete. Run the command again.')
    return {package: [prefix.downloads / entry[0] for entry in entries] for package, entries in by_package.items()}


def fetch(prefix, packages, source, total, names):
    verb = ['source', '--download-only'] if source else ['download']
    command = ['apt-get', *apt_options(prefix), *verb, *packages]
    say(f'  downloading {len(names)} files, {total / 1e6:.0f} MB')
    log = prefix.home / 'download.log'
    with open(log, 'w') as output:
        job = subprocess.Popen(command, cwd=prefix.downloads, stdout=output, stderr=output,
                               stdin=subprocess.DEVNULL, pass_fds=HELD)
        try:
            shown = time.monotonic()
            while True:
                try:
                    job.wait(timeout=0.5)
                    break
                except subprocess.TimeoutExpired:
                    pass
                if time.monotonic() - shown >= 5:
                    shown = time.monotonic()
                    arrived = sum(path.stat().st_size for path in map(prefix.downloads.joinpath, names)
                                  if path.is_file())
                    say(f'  downloaded {arrived / 1e6:.0f} of {total / 1e6:.0f} MB')
        finally:
            if job.poll() is None:
                job.terminate()
                job.wait()
    if job.returncode:
        raise Problem(f'Downloading from Debian failed:\n{log.read_text().strip()[-1500:]}')


UNPACKING = set()


def unpack_package(root, archive):
    root.mkdir(parents=True, exist_ok=True)
    # The runtime is archives, which are left out elsewhere.
    left_out = [pattern for pattern in LEFT_OUT if archive.name.split('_')[0] != CLANG_RUNTIME or pattern[-2:] != '.a']
    excluded = [f'--exclude={pattern}' for pattern in left_out]
    source = subprocess.Popen(['dpkg-deb', '--fsys-tarfile', archive], stdout=subprocess.PIPE, pass_fds=HELD)
    tar = subprocess.Popen(['tar', '-x', '--no-same-owner', '--wildcards', *excluded, '-C', root],
                           stdin=source.stdout, stderr=subprocess.PIPE, text=True, pass_fds=HELD)
    source.stdout.close()
    # Without its reader dpkg-deb ends as well.
    UNPACKING.add(tar)
    try:
        complaint = tar.communicate()[1]
        if source.wait() or tar.returncode:
            raise Problem(f'Unpacking {archive.name} failed: {complaint.strip()}')
    finally:
        UNPACKING.discard(tar)


def unpack(prefix, part):
    root = prefix.root(part)
    stage = {name: f'{ROOT_OF[part]}-package-{name}' for name in PACKAGES[part]}
    todo = [name for name in PACKAGES[part] if not prefix.is_done(stage[name])]
    if not todo:
        return
    prepare_apt(prefix)
    archives = download(prefix, todo)
    # The largest first, so that both cores are busy until the end.
    todo.sort(key=lambda name: -archives[name][0].stat().st_size)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = {pool.submit(unpack_package, root, archives[name][0]): name for name in todo}
        try:
            for count, job in enumerate(concurrent.futures.as_completed(jobs), 1):
                job.result()
                prefix.mark(stage[jobs[job]])
                say(f'  unpacked {count} of {len(todo)}: {jobs[job]}')
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(UNPACKING):
                process.terminate()
            raise


def unpack_sources(prefix, part):
    for name in SOURCES.get(part, []):
        if prefix.is_done(f'source-{name}'):
            continue
        prepare_apt(prefix)
        files = [path for paths in download(prefix, [name], source=True).values() for path in paths]
        original = next(path for path in files if '.orig.tar.' in path.name and not path.name.endswith('.asc'))
        folder = prefix.path / 'sources' / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        run(['tar', '-x', '--no-same-owner', '--strip-components=1', '-C', folder, '-f', original])
        prefix.mark(f'source-{name}')
        say(f'  unpacked the source of {name}')


def patch(prefix, part):
    """Lets the unpacked programs find the unpacked C library instead of this machine's."""
    stage = f'patched-{part}'
    if prefix.is_done(stage):
        return
    root = prefix.root(part)
    triple, loader_name = machine()
    libraries = root / 'usr/lib' / triple
    loader = libraries / loader_name
    rpath = f'{libraries}:{root}/usr/lib/llvm-{LLVM}/lib'
    patchelf = [loader, '--library-path', libraries, root / 'usr/bin/patchelf']

    def elf(path):
        with open(path, 'rb') as handle:
            return handle.read(4) == b'\x7fELF'

    def patch_one(path, arguments):
        # Written beside and moved over: killed half-way, it leaves the old file whole.
        fresh = path.with_name(f'.{path.name}.patched')
        run([*patchelf, *arguments, '--output', fresh, path])
        fresh.chmod(0o755)
        fresh.replace(path)

    names = EXECUTABLES + (EXECUTABLES_FOR_FUZZING if part == 'fuzz' else [])
    programs = {(root / name).resolve() for name in names if (root / name).exists()}
    # Some libraries carry a RUNPATH, which would shut out the RPATH of the program.
    objects = [path for folder in (libraries, root / f'usr/lib/llvm-{LLVM}/lib') if folder.is_dir()
               for path in folder.glob('lib*.so*') if not path.is_symlink() and path.is_file()
               and re.match(r'lib(LLVM|clang-cpp|binaryen)', path.name)]
    objects += [path for path in root.glob('usr/lib/libbinaryen*.so*') if not path.is_symlink()]
    say(f'  pointing {len(programs)} programs at their own libraries')
    for program in programs:
        if elf(program):
            patch_one(program, ['--set-interpreter', loader, '--force-rpath', '--set-rpath', rpath])
    for library in objects:
        if elf(library):
            patch_one(library, ['--force-rpath', '--set-rpath', rpath])
    prefix.mark(stage)


def node_program():
    node = shutil.which('node') or shutil.which('nodejs')
    if not node:
        raise Problem('Node.js is missing. Install Node 20 or newer; on Debian: apt-get install nodejs npm')
    return node


def configure_emscripten(prefix):
    root = prefix.root('wasm')
    home = root / 'usr/share/emscripten'
    # Beside emcc.py, where emcc looks by itself: no variable has to be set for a build. The system
    # libraries come built with the package; a cache that is not frozen would be emptied and built anew.
    write_atomically(home / '.emscripten', '\n'.join([
        f"LLVM_ROOT = '{root}/usr/lib/llvm-{LLVM}/bin'", f"BINARYEN_ROOT = '{root}/usr'",
        f"NODE_JS = '{node_program()}'", 'FROZEN_CACHE = True', '']))
    for link, target in ((home / 'node_modules', '../nodejs'), (root / 'usr/share/node_modules', 'nodejs')):
        if not link.is_symlink():
            if link.exists():
                shutil.rmtree(link)
            link.symlink_to(target)
    for program in sorted(home.glob('em*.py')):
        name = program.stem
        if (home / name).is_file():
            # Settings for another Emscripten in the environment must not reach this one.
            write_atomically(home / name, '#!/bin/sh\nunset EM_CONFIG EM_CACHE EM_LLVM_ROOT EM_BINARYEN_ROOT\n'
                             f'exec python3 -E "{program}" "$@"\n', 0o755)
            link_atomically(prefix.path / 'bin' / name, home / name)


def configure_clang(prefix):
    """Makes the compiler's root one that a linker can take for a whole system."""
    root = prefix.root('fuzz')
    for name in ('lib', 'lib64'):
        if (root / 'usr' / name).is_dir() and not (root / name).exists():
            link_atomically(root / name, f'usr/{name}')


# ---------------------------------------------------------------- what is asked for


def provide(parts):
    started = time.monotonic()
    prefix = Prefix()
    on_path = emcc_on_path() if 'wasm' in parts else None
    answer = {}
    stages = []
    if 'wasm' in parts and not on_path:
        stages.append(('wasm', f'Emscripten {EMSCRIPTEN}'))
    if 'libraries' in parts:
        stages.append(('libraries', 'C++ libraries'))
    if 'tests' in parts:
        stages.append(('tests', 'test libraries'))
    if 'format' in parts:
        stages.append(('format', 'clang-format'))
    if 'fuzz' in parts:
        stages.append(('fuzz', f'clang {LLVM} with its fuzzer'))

    def finished():
        return all(prefix.is_done(f'ready-{part}') for part, _ in stages)

    if not finished():
        check_debian()
        with prefix.lock():
            for part, title in stages:
                if prefix.is_done(f'ready-{part}'):
                    continue
                say(f'Preparing {title} in {prefix.path}')
                unpack(prefix, part)
                unpack_sources(prefix, part)
                if ROOT_OF[part] == 'toolchain':
                    patch(prefix, part)
                if part == 'wasm':
                    configure_emscripten(prefix)
                if part == 'fuzz':
                    configure_clang(prefix)
                prefix.mark(f'ready-{part}')
            # A name that stays, for editors and for compiling by hand.
            link_atomically(prefix.home / 'current', prefix.path.name)
            say(f'Toolchain ready after {time.monotonic() - started:.0f} s.')

    if 'wasm' in parts:
        emcc, version = on_path or (str(prefix.path / 'bin/emcc'), EMSCRIPTEN)
        root = emscripten_root(emcc) if on_path else prefix.root('wasm') / 'usr/share/emscripten'
        answer.update(emcc=emcc, emscripten_version=version, emscripten_root=str(root))
        if not on_path:
            answer['llvm_bin'] = str(prefix.root('wasm') / f'usr/lib/llvm-{LLVM}/bin')
    if 'libraries' in parts or 'tests' in parts:
        answer['libraries'] = str(prefix.root('libraries') / 'usr')
    if 'tests' in parts:
        answer['catch2_source'] = str(prefix.path / 'sources/catch2')
    if 'format' in parts:
        answer['clang_format'] = str(prefix.root('format') / f'usr/lib/llvm-{LLVM}/bin/clang-format')
    if 'fuzz' in parts:
        root = prefix.root('fuzz')
        triple, loader_name = machine()
        answer.update(clang_root=str(root), clang=str(root / f'usr/lib/llvm-{LLVM}/bin/clang++'),
                      clang_libraries=str(root / 'usr/lib' / triple),
                      clang_loader=str(root / 'usr/lib' / triple / loader_name),
                      clang_symbolizer=str(root / f'usr/lib/llvm-{LLVM}/bin/llvm-symbolizer'))
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--for', dest='parts', default='libraries,wasm',
                        help='comma-separated: ' + ', '.join(PACKAGES))
    parser.add_argument('--format', choices=('lines', 'json'), default='lines')
    options = parser.parse_args()
    parts = options.parts.split(',')
    unknown = sorted(set(parts) - set(PACKAGES))
    if unknown:
        parser.error(f'unknown: {", ".join(unknown)}')
    # Ended from outside, the programs that it started end with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        answer = provide(parts)
    except Problem as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        say('Interrupted: the next run goes on from here.')
        return 130
    print(json.dumps(answer) if options.format == 'json' else '\n'.join(f'{k}={v}' for k, v in answer.items()))
    return 0


if __name__ == '__main__':
    sys.exit(main())

/** The lists of C11.2. A name that is on none of them is low when it is allowed, and medium when it is not. */

const words = (...lines: string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** What may be run when the operator wrote no list. */
export const DEFAULT_ALLOWED: readonly string[] = [
  ...['git', 'npm', 'cargo', 'ls', 'cat', 'grep', 'find', 'echo', 'pwd', 'wc', 'head', 'tail', 'date', 'df', 'du'],
  ...['uname', 'uptime', 'hostname', 'python3', 'node', 'sleep'],
];

/** Part of the shell itself: no program is started, so no list of programs has to name it. */
export const BUILTINS = words(
  ': . [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown enable eval exec',
  'exit export false fc fg getopts hash help history jobs let local logout mapfile popd printf pushd pwd read readarray',
  'readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait echo',
);

/** Destroys, escalates, leaves the machine, or outlives the call. */
export const HIGH = words(
  'rm dd shred fdisk parted wipefs mkswap sudo su doas pkexec runuser chmod chown chgrp chattr setfacl mount umount',
  'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp tftp nmap shutdown reboot halt poweroff init telinit',
  'systemctl service launchctl rc-service kill killall pkill xkill useradd userdel usermod groupadd groupdel groupmod',
  'passwd chpasswd visudo vipw crontab at batch iptables ip6tables nft ufw firewall-cmd insmod modprobe rmmod sysctl',
  'docker podman nerdctl kubectl helm chroot unshare nsenter pivot_root setcap setsid screen tmux systemd-run',
  'start-stop-daemon daemonize strace ltrace gdb lldb expect parallel script osascript open xdg-open gpg gpg-agent',
  'ssh-keygen ssh-add security defaults diskutil hdiutil losetup swapoff swapon apt apt-get aptitude dpkg yum dnf rpm',
  'pacman zypper apk brew port snap flatpak npx bunx pnpx pipx uvx easy_install',
);

/** Changes something, mostly within reach of version control. */
export const MEDIUM = words(
  'mkdir rmdir mv cp touch ln tee install truncate mktemp mkfifo mknod patch split csplit tar zip unzip gzip gunzip',
  'bzip2 bunzip2 xz unxz zstd 7z ar cpio make gmake cmake ninja meson gradle gradlew mvn ant bazel sbt rake just task',
  'npm pnpm yarn bun cargo pip pip3 uv poetry go gem bundle composer dotnet mix rustup nvm pyenv conda mamba',
  'pytest tox jest vitest mocha sqlite3 psql mysql redis-cli mongo mongosh gh glab hg svn bzr vi vim nvim emacs nano ed ex',
);

/** Only looks, whatever its arguments (those that can write have rules of their own). */
export const READ_ONLY = words(
  ': [ [[ true false test echo printf pwd cd pushd popd dirs type times ulimit umask set shopt export unset local declare',
  'typeset readonly read getopts let shift return exit break continue wait jobs help caller mapfile readarray hash unalias',
  'ls cat grep egrep fgrep wc head tail df du uname uptime sleep stat file tree cut tr paste join comm diff cmp nl tac',
  'rev fold fmt column expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
  'basename dirname realpath readlink seq expr id whoami groups which nproc free ps printenv tty arch lscpu lsblk jq',
  'numfmt tsort base64 base32 locale getconf logname users who w cal pathchk sort uniq date hostname find xxd command env xargs',
);

/** All their operands are paths, also plain names (a name may be a link that leads away). */
export const FILE_COMMANDS = words(
  'ls cat wc head tail du df stat file tree cmp nl tac rev fold fmt od hexdump strings md5sum sha1sum sha256sum sha512sum',
  'b2sum cksum readlink realpath cd pushd rm rmdir mkdir mv cp touch ln tee truncate install chmod chown shred sort uniq',
  'diff comm join paste cut xxd base64 source . find',
);

/** Of these, the operands are written. */
export const WRITES_ALL = words('rm rmdir mkdir touch tee truncate shred chmod chown chgrp mv');
/** Of these, the last operand is written and the others are read. */
export const WRITES_LAST = words('cp ln install');

/** Their operands are text. */
export const NO_PATHS = words(
  'echo printf expr seq sleep df true false : kill export set unset read local declare typeset readonly let trap tr',
  'basename dirname type hash command test [ exit return shift wait umask ulimit',
);

/** The first operand is a pattern or a program, not a path. */
export const PATTERN_FIRST = words('grep egrep fgrep rg ag ack sed awk gawk mawk perl ruby jq');

/** A program that is handed program text runs anything. Short option letters that take it. */
export const SHELLS = words('sh bash dash ash zsh ksh mksh fish csh tcsh rbash');

/** Directories of programs whose short name says what they are. */
export const PROGRAM_FOLDERS = /^(?:\/usr\/local|\/usr|\/opt\/homebrew)?\/s?bin\/[^/]+$/;

/** Variables that decide which program runs, or what it runs. */
export const STEERING_VARIABLE =
  /^(?:PATH|HOME|IFS|ENV|BASH_ENV|BASH_FUNC.*|PS[0-4]|PROMPT_COMMAND|SHELL|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|EXECIGNORE|LD_.*|DYLD_.*|XDG_.*|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|LESS|NODE_OPTIONS|NODE_PATH|NODE_REPL_.*|npm_config_.*|NPM_CONFIG_.*|PYTHON(?:PATH|HOME|STARTUP|INSPECT|EXECUTABLE|BREAKPOINT|USERBASE|PYCACHEPREFIX)|PERL5.*|PERLLIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT$|MERGE_AUTOEDIT$|OPTIONAL_LOCKS$|PAGER_IN_USE$).*|SSH_ASKPASS|SUDO_ASKPASS|ZDOTDIR|EVERTURN_.*)$/;

/** Variables that decide what a build runs; a build runs whatever it likes anyway. */
export const BUILD_VARIABLE =
  /^(?:CARGO_.*|RUSTC.*|RUSTDOC.*|RUSTFLAGS|CC|CXX|LD|AR|MAKE|MAKEFLAGS|TAR_OPTIONS|GREP_OPTIONS)$/;

/** Places that are closed to tools whatever the roots say (C11.3). */

/** Closed to files tools unless the workspace or an allowed root lies deeper inside. */
export const SYSTEM: readonly string[] = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/proc', '/root', '/run'],
  ...['/sbin', '/snap', '/sys', '/usr', '/var'],
  ...['/Applications', '/Library', '/System', '/private/etc', '/private/var'],
];

/** Files and folders below the home of whoever runs the worker. */
export const CREDENTIALS_AT_HOME: readonly string[] = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.vault-token', '.netrc', '.pgpass'],
  ...['.my.cnf', '.npmrc', '.pypirc', '.git-credentials', '.cargo/credentials', '.cargo/credentials.toml'],
  ...['.gem/credentials', '.m2/settings.xml', '.terraform.d', '.oci', '.config/gcloud', '.config/gh', '.config/hub'],
  ...['.config/git/credentials', '.config/op', '.config/sops', '.config/doctl', '.config/google-chrome'],
  ...['.config/chromium', '.mozilla', '.thunderbird', '.local/share/keyrings', '.local/share/kwalletd'],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history'],
  ...['Library/Keychains', 'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox'],
];

/** The same of other people, and of the machine. Any process's folder in /proc shows its environment. */
export const CREDENTIALS_ANYWHERE =
  /^(?:\/etc\/(?:shadow|gshadow|sudoers|master\.passwd)|\/etc\/(?:ssh|sudoers\.d|ssl\/private)(?:\/|$)|\/(?:var\/)?run\/secrets(?:\/|$)|\/(?:var\/)?run\/docker\.sock$|\/proc\/(?:\d+|self|thread-self)(?:\/|$)|\/proc\/(?:kcore|keys|kmsg)|\/(?:root|home\/[^/]+|Users\/[^/]+)\/\.(?:ssh|gnupg|aws|azure|kube|docker|netrc|git-credentials|pgpass|npmrc|pypirc|vault-token)(?:\/|$))/;

export const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/\d+)$/;

export const HARMLESS_PROC = /^\/proc\/(?:cpuinfo|meminfo|loadavg|uptime|version|stat|filesystems)$/;

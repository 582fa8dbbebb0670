import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../e2e/harness/free-port.ts'

// Other caches in front of the same server, each as its package of Debian has it, with as little configuration as makes
// it keep answers.

interface Peer {
  program: string
  /** Files by name, and the arguments. */
  configure(options: { port: number; upstream: number; folder: string }): {
    files: Record<string, string>
    args: string[]
  }
}

const peers: Record<string, Peer> = {
  nginx: {
    program: 'nginx',
    configure: ({ port, upstream, folder }) => ({
      files: {
        'nginx.conf': `daemon off; user root; pid ${folder}/pid; error_log ${folder}/log;
events {}
http {
  access_log off;
  proxy_cache_path ${folder}/cache keys_zone=kept:10m use_temp_path=off;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${upstream};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_cache kept;
      proxy_cache_revalidate on;
    }
  }
}`,
      },
      args: ['-c', `${folder}/nginx.conf`],
    }),
  },
  varnish: {
    program: 'varnishd',
    configure: ({ port, upstream, folder }) => ({
      files: {},
      args: [
        '-F',
        `-a127.0.0.1:${port}`,
        `-b127.0.0.1:${upstream}`,
        `-n${folder}/work`,
        '-smalloc,64m',
      ],
    }),
  },
  squid: {
    program: 'squid',
    configure: ({ port, upstream, folder }) => ({
      files: {
        'squid.conf': `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1
cache_peer 127.0.0.1 parent ${upstream} 0 no-query originserver name=origin
http_access allow all
cache_mem 64 MB
cache_log ${folder}/log
access_log none
pid_filename ${folder}/pid
`,
      },
      args: ['-N', '-n', `suite${port}`, '-f', `${folder}/squid.conf`],
    }),
  },
  apache: {
    program: 'apache2',
    configure: ({ port, upstream, folder }) => ({
      files: {
        'apache.conf': `ServerName 127.0.0.1
ServerRoot ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/log
Listen 127.0.0.1:${port}
MaxKeepAliveRequests 0
KeepAliveTimeout 60
${['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'cache', 'cache_disk']
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
CacheRoot ${folder}/cache
CacheEnable disk /
ProxyPass / http://127.0.0.1:${upstream}/
`,
      },
      args: ['-DFOREGROUND', '-f', `${folder}/apache.conf`],
    }),
  },
}

export const peerNames = Object.keys(peers)

const folders = '/usr/sbin:/usr/local/sbin'
const env = { ...process.env, PATH: `${process.env['PATH']}:${folders}` }

/** Whether its program is on this machine. */
export const isThere = (name: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${peers[name]?.program}`], { env }).status === 0

/** Starts it in front of the server at that port. Returns its port; it ends with this process. */
export async function startPeer(name: string, upstream: number, home: string): Promise<number> {
  const peer = peers[name]
  if (peer === undefined)
    throw new Error(`No such peer: ${name}. There are ${peerNames.join(', ')}.`)
  const folder = join(home, name)
  mkdirSync(join(folder, 'cache'), { recursive: true })
  // Some give up the rights of root.
  for (const each of [home, folder, join(folder, 'cache')]) chmodSync(each, 0o777)
  const port = await freePort()
  const { files, args } = peer.configure({ port, upstream, folder })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  // A group of its own: all of its processes end together.
  const child = spawn(peer.program, args, { env, stdio: 'ignore', detached: true })
  process.on('exit', () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start.`)
    await pause(50)
  }
  return port
}

const takesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).unref()
    socket.on('connect', () => socket.destroy())
  })

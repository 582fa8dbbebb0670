import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../e2e/harness/free-port.ts'

const peersFolder = fileURLToPath(new URL('../../tools/bench/', import.meta.url))

/** A proxy under test, of one process. */
export interface Peer {
  name: string
  url: string
  headers: string[]
  /** Its processes: what they spend is its cost. */
  pids: number[]
  stop(): Promise<void>
}

function stopper(child: ChildProcess, folder?: string) {
  const ended = once(child, 'exit')
  return async () => {
    child.kill('SIGKILL')
    await ended
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** nginx in the foreground with one worker, which is the process itself: `master_process off`. */
async function startNginx(
  name: string,
  server: (port: number, folder: string) => string,
  scheme = 'http',
): Promise<Peer> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-nginx-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr error;
     events { worker_connections 4096; }
     http {
       access_log off; keepalive_requests 100000000; keepalive_timeout 60s;
       client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
       uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       ${server(port, folder)}
     }`,
  )
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder]
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `${scheme}://127.0.0.1:${port}`
  await untilAnswers(url, child)
  return { name, url, headers: [], pids: [child.pid ?? 0], stop: stopper(child, folder) }
}

/**
 * The upstream of all proxies: nginx, which answers 150 bytes and costs less than any of them. Under `/large/` it
 * answers 10 KB, and under `/kept/` what may be kept for an hour, also for callers with a token.
 */
export const startUpstream = () =>
  startNginx('upstream', (port, folder) => {
    writeFileSync(join(folder, 'large.txt'), 'x'.repeat(10_000))
    const short = `default_type text/plain; return 200 "${'x'.repeat(150)}";`
    return `server {
      listen 127.0.0.1:${port} reuseport;
      location / { ${short} }
      location /kept/ { add_header Cache-Control "public, max-age=3600"; ${short} }
      location /large/ { root ${folder}; default_type text/plain; try_files /large.txt =404; }
    }`
  })

/** `pem`: a file with a certificate and its key, for TLS. */
export const startNginxProxy = (upstream: string, pem?: string) =>
  startNginx(
    pem === undefined ? 'nginx proxy_pass' : 'nginx with TLS',
    (
      port,
    ) => `upstream origin { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 100000000; }
      server {
        listen 127.0.0.1:${port}${pem === undefined ? '' : ` ssl; ssl_certificate ${pem}; ssl_certificate_key ${pem}`};
        location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }`,
    pem === undefined ? 'http' : 'https',
  )

export async function startHaproxy(upstream: string): Promise<Peer> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-haproxy-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server origin ${new URL(upstream).host} maxconn 256
`,
  )
  const child = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(url, child)
  return { name: 'HAProxy', url, headers: [], pids: [child.pid ?? 0], stop: stopper(child, folder) }
}

/** A proxy in JavaScript from tools/bench, on the Node that runs this. */
export async function startNodePeer(name: string, file: string, upstream: string): Promise<Peer> {
  const child = spawn(process.execPath, [join(peersFolder, file), upstream], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  })
  for await (const line of createInterface(child.stdout)) {
    const port = /^listening (\d+)/.exec(line)?.[1]
    if (!port) continue
    child.stdout.resume()
    const url = `http://127.0.0.1:${port}`
    return { name, url, headers: [], pids: [child.pid ?? 0], stop: stopper(child) }
  }
  throw new Error(`${file} ended before it listened`)
}

export async function startExpressGateway(upstream: string): Promise<Peer> {
  const folder = mkdtempSync(join(os.tmpdir(), 'gatehouse-bench-express-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'gateway.config.json'),
    JSON.stringify({
      http: { port, hostname: '127.0.0.1' },
      apiEndpoints: { api: { host: '*', paths: ['/*'] } },
      serviceEndpoints: { origin: { url: upstream } },
      policies: ['proxy'],
      pipelines: {
        main: {
          apiEndpoints: ['api'],
          policies: [{ proxy: [{ action: { serviceEndpoint: 'origin' } }] }],
        },
      },
    }),
  )
  const library = join(peersFolder, 'node_modules', 'express-gateway', 'lib')
  cpSync(join(library, 'config', 'models'), join(folder, 'models'), { recursive: true })
  cpSync(join(library, 'config', 'system.config.yml'), join(folder, 'system.config.yml'))
  const child = spawn(process.execPath, [join(library, 'index.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: dirname(library),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      EG_CONFIG_DIR: folder,
      LOG_LEVEL: 'error',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(url, child)
  return {
    name: 'express-gateway',
    url,
    headers: [],
    pids: [child.pid ?? 0],
    stop: stopper(child, folder),
  }
}

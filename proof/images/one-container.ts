import { creatorOf } from '../../e2e/harness/creator.ts'
import { adminPassword, signIn } from '../../e2e/harness/run-product.ts'
import { podman } from './engine.ts'

const name = 'gatehouse-proof-one'
const volume = 'gatehouse-proof-data'
const hardened = [
  '--init',
  '--read-only',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
]

const start = () =>
  podman(
    'run',
    '--detach',
    '--name',
    name,
    ...hardened,
    '--volume',
    `${volume}:/data`,
    '--publish',
    '127.0.0.1::3000',
    '--publish',
    '127.0.0.1::8080',
    '--env',
    `ADMIN_PASSWORD=${adminPassword}`,
    'gatehouse',
  )

const addressOf = async (port: number) => `http://${await podman('port', name, `${port}`)}`
const remove = () => podman('rm', '--force', '--time', '0', name).catch(() => undefined)
const exec = (...command: string[]) => podman('exec', name, ...command)

async function healthy(): Promise<void> {
  for (;;) {
    const isHealthy = await podman('healthcheck', 'run', name).catch(() => undefined)
    if (isHealthy !== undefined) return
    const state = await podman('inspect', name, '--format', '{{.State.Status}}')
    if (state !== 'running') throw new Error(`It is ${state}: ${await podman('logs', name)}`)
  }
}

/** The image alone, as `docs/operations/install.md` says that it is run. Each line is a fault. */
export async function tryOneContainer(): Promise<string[]> {
  const faults: string[] = []
  const demand = (isSo: boolean, fault: string) => void (isSo || faults.push(fault))
  await remove()
  await podman('volume', 'rm', '--force', volume)
  try {
    await start()
    await healthy()
    demand((await exec('id', '-u')) === '65532', 'it does not run as account 65532')
    for (const path of ['/app/x', '/x'])
      demand(
        (await exec('touch', path).catch(() => undefined)) === undefined,
        `${path} can be written`,
      )
    demand((await exec('touch', '/data/x')) === '', '/data can’t be written')
    const { createApi } = await creatorOf(await addressOf(3_000))
    await createApi('Kept', 'http://upstream.example')
    const { status } = await fetch(`${await addressOf(8_080)}/nowhere`)
    demand(status === 404, `the gateway answered ${status}`)

    const began = performance.now()
    await podman('stop', '--time', '45', name)
    const stopMs = Math.round(performance.now() - began)
    const code = await podman('inspect', name, '--format', '{{.State.ExitCode}}')
    demand(code === '0', `it ended with ${code} after SIGTERM`)
    console.log(`SIGTERM: ended with ${code} after ${stopMs} ms`)

    await remove()
    await start()
    await healthy()
    const again = await signIn(await addressOf(3_000))
    const { body } = await again('GET', '/api/apis')
    demand(JSON.stringify(body).includes('Kept'), 'another container does not find what was kept')
  } finally {
    await remove()
    await podman('volume', 'rm', '--force', volume)
  }
  return faults
}

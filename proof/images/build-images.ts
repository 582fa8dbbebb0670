import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { podman, run } from './engine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const certificates = '/etc/ssl/certs/ca-certificates.crt'

const debian = 'docker.io/library/debian:bookworm-slim'
const node = `docker.io/library/node:${process.versions.node}-bookworm-slim`
const others = ['postgres:17.5-bookworm', 'redis:7.4.2-bookworm', 'caddy:2.10.0']

/** Builds `gatehouse`, and has all images that `deploy/compose.yaml` names. Answers which of these stand in. */
export async function buildImages(): Promise<string[]> {
  const stoodIn: string[] = []
  const have = async (image: string, make: () => Promise<unknown>) => {
    const isHere = await podman('image', 'exists', image).then(
      () => true,
      () =>
        podman('pull', '--quiet', image).then(
          () => true,
          () => false,
        ),
    )
    if (isHere) return
    stoodIn.push(image)
    await make()
  }
  await have(node, makeNode)
  for (const name of others) {
    const [program = name] = name.split(':')
    await have(`docker.io/library/${name}`, () =>
      buildStandIn(program, `docker.io/library/${name}`),
    )
  }
  const commit = await run('git', ['-C', root, 'rev-parse', '--short=12', 'HEAD'])
  await podman(
    'build',
    '--format',
    'docker',
    '--network',
    'host',
    '--tag',
    'gatehouse',
    '--build-arg',
    `GATEHOUSE_COMMIT=${commit}`,
    '--file',
    join(root, 'deploy/Dockerfile'),
    root,
  )
  return stoodIn
}

async function buildStandIn(program: string, image: string): Promise<void> {
  await podman('image', 'exists', debian).catch(makeDebian)
  const file = join(here, `${program}.Dockerfile`)
  await podman(
    'build',
    '--format',
    'docker',
    '--network',
    'host',
    '--tag',
    image,
    '--file',
    file,
    here,
  )
}

const makeDebian = () => importDebian(debian, () => undefined)

/** Debian with this Node and this npm. */
const makeNode = () =>
  importDebian(node, async (folder) => {
    const local = join(folder, 'usr/local')
    const npm = dirname(dirname(realpathSync(await run('which', ['npm']))))
    mkdirSync(join(local, 'etc'), { recursive: true })
    copyFileSync(process.execPath, join(local, 'bin/node'))
    cpSync(npm, join(local, 'lib/node_modules/npm'), {
      recursive: true,
      dereference: true,
    })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    // The machine's own certificates: a proxy of its network may have signed what npm sees.
    copyFileSync(certificates, join(folder, certificates))
    writeFileSync(join(local, 'etc/npmrc'), `cafile=${certificates}\n`)
  })

async function importDebian(
  image: string,
  add: (folder: string) => Promise<void> | undefined,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'))
  try {
    const packages = 'ca-certificates,libatomic1'
    await run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', folder])
    await add(folder)
    const archive = `${folder}.tar`
    await run('tar', ['--directory', folder, '--create', '--file', archive, '.'])
    await podman('import', archive, image)
    rmSync(archive)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

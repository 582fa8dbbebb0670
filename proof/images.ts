import { buildImages } from './images/build-images.ts'
import { tryCompose } from './images/compose.ts'
import { podman, run } from './images/engine.ts'
import { tryOneContainer } from './images/one-container.ts'

// Builds `deploy/Dockerfile`, starts its image as the docs say, then all of `deploy/compose.yaml`, of which each server
// is restarted and one gateway is killed under calls. As root on Linux, with podman, docker-compose and debootstrap:
// where no registry can be reached, images of Debian stand in for those of PostgreSQL, Redis, Caddy and Node.
// npm run proof images
const wanted = ['podman', 'docker-compose', 'debootstrap']
for (const program of wanted)
  await run(program, ['--version']).catch(() => {
    console.error(`This proof needs ${wanted.join(', ')}: ${program} is not here.`)
    process.exit(1)
  })

const stoodIn = await buildImages()
if (stoodIn.length > 0) console.log(`made of Debian: ${stoodIn.join(', ')}`)
const sizeOf = async (image: string) =>
  Number(await podman('inspect', image, '--format', '{{.Size}}')) / 1024 / 1024
const ofNode = await sizeOf(`node:${process.versions.node}-bookworm-slim`)
const whole = await sizeOf('gatehouse')
console.log(
  `the image: ${whole.toFixed(0)} MiB, of which Gatehouse is ${(whole - ofNode).toFixed(0)}`,
)

const faults = [
  ...(await tryOneContainer()).map((fault) => `one container: ${fault}`),
  ...(await tryCompose()).map((fault) => `compose: ${fault}`),
]
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

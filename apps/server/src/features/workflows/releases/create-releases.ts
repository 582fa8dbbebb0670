import { previewRelease, refuseRun, releaseRun } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../kernel/mount.ts'
import { RunReleaser } from './run-releaser.ts'

/** Wires what a person decides about runs before they are sent. */
export function createReleases(options: ConstructorParameters<typeof RunReleaser>[0]) {
  const releaser = new RunReleaser(options)
  return {
    mountOn: (app: FastifyInstance) => {
      mount(app, previewRelease, ({ params }, { caller }) => releaser.preview(params.id, caller))
      mount(app, releaseRun, ({ params, body }, context) =>
        releaser.release(params.id, body, context),
      )
      mount(app, refuseRun, ({ params, body }, context) =>
        releaser.refuse(params.id, body.note, context),
      )
    },
  }
}

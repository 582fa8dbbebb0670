import { importDocument, previewImport } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import { ImportService } from './import-service.ts'

export function createImports(options: ConstructorParameters<typeof ImportService>[0]) {
  const service = new ImportService(options)
  return {
    mountOn: (app: FastifyInstance) => {
      mount(app, previewImport, ({ body }, { caller, signal }) =>
        service.preview(body, caller, signal),
      )
      mount(app, importDocument, ({ body }, context) => service.import(body, context))
    },
  }
}

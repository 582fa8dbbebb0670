import { searchAll } from '@gatehouse/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../kernel/mount.ts'
import type { SearchStores } from './find-candidates.ts'
import { SearchService } from './search-service.ts'
import { TextKeeper, type TextKeeperOptions } from './text-keeper.ts'

interface Needed extends Omit<TextKeeperOptions, 'longReads'> {
  /** On a connection for long reads. */
  longReads: SearchStores
}

/** The search across all that is listed, and the keeper of the words that it looks for. */
export function createSearch({ longReads, ...needed }: Needed) {
  const service = new SearchService(longReads)
  const keeper = new TextKeeper({ ...needed, longReads: longReads.search })
  return {
    service,
    keeper,
    mountOn: (app: FastifyInstance) =>
      mount(app, searchAll, ({ query }, { caller }) => service.search(query, caller)),
  }
}

import type { RevisionId } from '@gatehouse/contract/gateway'
import type { FromWorker, ToWorker } from '../../messages/worker-messages.ts'

/** A worker that carries nothing, and ends as soon as it gets a second configuration or a later one. */
let isReady = false

function tell(message: FromWorker): void {
  process.send?.(message)
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'lame-duck') process.exit(0)
  if (message.type !== 'snapshot') return
  const { revision, mark } = message.snapshot as RevisionId
  if (isReady || revision > 1) process.exit(1)
  tell({ type: 'snapshot-accepted', revision, mark })
  if (!isReady) tell({ type: 'ready', revision, mark, port: 0 })
  isReady = true
})

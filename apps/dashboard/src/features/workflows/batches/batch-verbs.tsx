import { Button, Text } from '@mantine/core'
import type { BatchRecord } from '@gatehouse/contract'
import { useState } from 'react'
import { messageOf } from '../../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../../lib/page/notify.tsx'
import { ActionDialog } from '../../../ui/dialog/action-dialog.tsx'
import { useBatchActions } from './batch-queries.ts'
import { batchesMessages, rowWords } from './batch-words.ts'

type Verb = 'pause' | 'cancel' | 'retry'

const rejectedWords = (count: number) =>
  count === 1
    ? 'The rejected row becomes a new run'
    : `Each of the ${count.toLocaleString('en')} rejected rows becomes a new run`

/** Pause, Resume, Cancel and Retry, as far as the state of the batch allows them. */
export function BatchVerbs({ batch }: { batch: BatchRecord }) {
  const [asked, setAsked] = useState<Verb>()
  const actions = useBatchActions({ slug: batch.workflow.slug, id: batch.id })
  const { state, counts } = batch
  const isOpen = state === 'running' || state === 'paused'
  const rejected = state === 'cancelled' ? 0 : (counts.rejected ?? 0)

  async function handleResume() {
    try {
      await actions.resume.mutateAsync()
      notifySuccess(batchesMessages.resumed)
    } catch (error) {
      notifyError(batchesMessages.notResumed, messageOf(error))
    }
  }
  const close = () => setAsked(undefined)
  const dialog = (verb: Verb) => ({ row: asked === verb ? batch : undefined, onClose: close })
  return (
    <>
      {state === 'paused' && (
        <Button loading={actions.resume.isPending} onClick={() => void handleResume()}>
          Resume
        </Button>
      )}
      {rejected > 0 && (
        <Button
          variant={isOpen ? 'default' : 'filled'}
          onClick={() => setAsked('retry')}
        >{`Retry ${rejected.toLocaleString('en')} rejected`}</Button>
      )}
      {state === 'running' && (
        <Button variant="default" onClick={() => setAsked('pause')}>
          Pause
        </Button>
      )}
      {isOpen && (
        <Button variant="subtle" color="red" onClick={() => setAsked('cancel')}>
          Cancel
        </Button>
      )}
      <ActionDialog
        {...dialog('pause')}
        isHarmless
        texts={{ title: 'Pause this batch?', confirm: 'Pause', done: batchesMessages.paused }}
        renderConsequences={() => (
          <Text size="sm">Runs under way end. No other is started until it is resumed.</Text>
        )}
        perform={() => actions.pause.mutateAsync()}
      />
      <ActionDialog
        {...dialog('cancel')}
        texts={{
          title: 'Cancel this batch?',
          confirm: 'Cancel this batch',
          done: batchesMessages.cancelled,
        }}
        renderConsequences={({ counts: { queued = 0 } }) => (
          <Text size="sm">
            {rowWords(queued)} in the queue: what was not begun of them leaves the lane and is not
            sent. What was begun goes on. A cancelled batch can’t be resumed.
          </Text>
        )}
        perform={() => actions.cancel.mutateAsync()}
      />
      <ActionDialog
        {...dialog('retry')}
        isHarmless
        texts={{
          title: 'Send the rejected rows again?',
          confirm: 'Send again',
          done: batchesMessages.retried,
        }}
        renderConsequences={() => (
          <Text size="sm">
            {rejectedWords(rejected)} with the same input, under the version of the workflow that is
            in force now. Rows whose outcome is unknown are not sent again.
          </Text>
        )}
        perform={() => actions.retry.mutateAsync()}
      />
    </>
  )
}

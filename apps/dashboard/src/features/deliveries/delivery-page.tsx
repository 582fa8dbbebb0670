import { Alert, Anchor, Button, Code, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DeliveryDetail } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { prettyJson } from '../../lib/format/pretty-json.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useThingName } from '../../lib/page/thing-name.ts'
import { useRecordId } from '../../lib/page/use-record-id.ts'
import { Copied } from '../../ui/text/copied.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Facts } from '../../ui/text/facts.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { deliveryQueries, useCancelDelivery, useSendAgain } from './delivery-queries.ts'
import { DeliveryBadge, deliveryKindWords, noteOf } from './delivery-words.tsx'

/** One delivery: where it goes, how its tries ended, and what it sends. */
export function DeliveryPage() {
  const id = useRecordId()
  const can = useCan()
  const query = useQuery(deliveryQueries.one(id))
  useThingName(query.data && `Delivery ${id} · ${query.data.subject}`)
  return (
    <Page
      title={`Delivery ${id}`}
      {...(query.data ? { subtitle: query.data.subject } : {})}
      actions={can('workflow.operate') && query.data && <Verbs delivery={query.data} />}
    >
      <QueryLoader query={query} failureText="This delivery could not be loaded.">
        {(delivery) => <Content delivery={delivery} />}
      </QueryLoader>
    </Page>
  )
}

function Verbs({ delivery: { id, state } }: { delivery: DeliveryDetail }) {
  const sending = useSendAgain()
  const cancelling = useCancelDelivery()

  async function perform(action: Promise<unknown>, done: string) {
    try {
      await action
      notifySuccess(done)
    } catch (error) {
      notifyError('It was not changed.', messageOf(error))
    }
  }
  return (
    <Group gap="sm">
      {state === 'waiting' && (
        <Button
          variant="default"
          loading={cancelling.isPending}
          onClick={() => void perform(cancelling.mutateAsync(id), 'The delivery is cancelled.')}
        >
          Cancel
        </Button>
      )}
      <Button
        loading={sending.isPending}
        onClick={() => void perform(sending.mutateAsync(id), 'The delivery is sent now.')}
      >
        {state === 'waiting' ? 'Send now' : 'Send again'}
      </Button>
    </Group>
  )
}

function Content({ delivery }: { delivery: DeliveryDetail }) {
  const text = prettyJson(delivery.payload)
  return (
    <Stack gap="md">
      {delivery.state === 'dead' && (
        <Alert color="red" role="note" title="This delivery was given up">
          {delivery.last_error === null
            ? 'The receiver did not take it.'
            : serverWords(delivery.last_error)}
        </Alert>
      )}
      <FormCard title="What became of it">
        <Facts facts={factsOf(delivery)} />
      </FormCard>
      <FormCard title="What is sent">
        <Group>
          <CopyButton text={delivery.payload} label="Copy" description="what is sent" />
        </Group>
        <Code block dir="ltr" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {text}
        </Code>
      </FormCard>
    </Stack>
  )
}

function factsOf(delivery: DeliveryDetail) {
  const { workflow, run_id, batch_id, next_try_at, ended_at, last_status } = delivery
  const note = noteOf(delivery)
  return [
    ['State', <DeliveryBadge key="state" state={delivery.state} />],
    ...(note === '' ? [] : [['Last try', note] as const]),
    ['Kind', deliveryKindWords[delivery.kind]],
    ['To', <Copied key="to" text={delivery.target} description="the address of the receiver" />],
    ...(workflow
      ? [
          [
            'Workflow',
            <Anchor key="workflow" component={Link} to={paths.workflow(workflow.id)} inherit>
              {workflow.name}
            </Anchor>,
          ] as const,
        ]
      : []),
    ...(run_id === null
      ? []
      : [
          [
            'Run',
            <Anchor key="run" component={Link} to={paths.run(run_id)} inherit>
              {run_id}
            </Anchor>,
          ] as const,
        ]),
    ...(batch_id === null ? [] : [['Batch', String(batch_id)] as const]),
    ['Tries', String(delivery.tries)],
    ...(last_status === null ? [] : [['Last status', String(last_status)] as const]),
    ...(next_try_at === null
      ? []
      : [
          ['Next try', <Moment key="next" at={next_try_at} isRelative />] as const,
          ['Given up after', <Moment key="until" at={delivery.give_up_at} />] as const,
        ]),
    ['Made', <Moment key="made" at={delivery.created_at} isRelative />],
    ...(ended_at === null
      ? []
      : [['Ended', <Moment key="ended" at={ended_at} isRelative />] as const]),
    ['Message id', <Copied key="id" text={delivery.message_id} description="the message id" />],
  ] as const
}

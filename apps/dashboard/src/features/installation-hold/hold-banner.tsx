import { useQuery } from '@tanstack/react-query'
import { useHeldQuestion } from '../../lib/forms/held-question.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { holdQueries } from './hold-queries.ts'

const HoldNotice = lazyPart(async () => (await import('./hold-notice.tsx')).HoldNotice)
const HeldSendDialog = lazyPart(async () => (await import('./held-send-dialog.tsx')).HeldSendDialog)

/** On every page after a restore: that nothing is sent without a person, since when, and how it ends. */
export function HoldBanner() {
  const { data } = useQuery(holdQueries.show())
  const question = useHeldQuestion()
  return (
    <>
      {data?.hold && <HoldNotice hold={data.hold} />}
      {question && <HeldSendDialog question={question} reason={data?.hold?.reason ?? 'restore'} />}
    </>
  )
}

import { lazy, Suspense, useState } from 'react'
import { useCan } from '../../lib/session.tsx'
import { areStepsOver } from './first-steps-shown.ts'

const FirstStepsCard = lazy(async () => ({
  default: (await import('./first-steps-card.tsx')).FirstStepsCard,
}))

/** The checklist of a new product. Its code is loaded only where it may be shown. */
export function FirstStepsPart() {
  const can = useCan()
  const [isOver, setIsOver] = useState(areStepsOver)
  if (isOver || !can('api.create')) return null
  return (
    <Suspense>
      <FirstStepsCard onClose={() => setIsOver(true)} />
    </Suspense>
  )
}

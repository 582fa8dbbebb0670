import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useCan } from '../../lib/session/session.tsx'
import { areStepsOver } from './first-steps-shown.ts'

const FirstStepsCard = lazy(async () => ({
  default: (await import('./first-steps-card.tsx')).FirstStepsCard,
}))

interface FirstStepsPartProps {
  /** Shown under the checklist. */
  beside: ReactNode
  /** Shown instead, once the product is in use or the checklist was closed. */
  children: ReactNode
}

/** The checklist of a new product. Its code is loaded only where it may be shown. */
export function FirstStepsPart({ beside, children }: FirstStepsPartProps) {
  const can = useCan()
  const [isOver, setIsOver] = useState(areStepsOver)
  if (isOver || !can('api.create')) return children
  return (
    <Suspense>
      <FirstStepsCard onClose={() => setIsOver(true)} beside={beside}>
        {children}
      </FirstStepsCard>
    </Suspense>
  )
}

import { useCallback, useMemo, useState } from 'react'
import { useSampleAnswers, type Sample } from '../../entities/placeholder/sample-answers.ts'
import type { BundleStep } from './bundle-form.ts'

export interface StepSamples {
  /** Of the steps before this one. */
  samples: readonly Sample[]
  onWant: () => void
}

/** What each step can take values from. Answers are fetched once a body or a person asks for them. */
export function useStepSamples(steps: readonly BundleStep[]): (at: number) => StepSamples {
  const [isAsked, setIsAsked] = useState(false)
  const isWanted = isAsked || steps.some(({ body }) => body.includes('{{'))
  const answers = useSampleAnswers(
    steps.map(({ endpoint }) => endpoint),
    isWanted,
  )
  const before = useMemo(() => answers.map((_, at) => answers.slice(0, at)), [answers])
  const onWant = useCallback(() => setIsAsked(true), [])
  return (at) => ({ samples: before[at] ?? [], onWant })
}

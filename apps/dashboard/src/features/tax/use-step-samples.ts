import { useMemo, useState } from 'react'
import { useSampleAnswers, type Sample } from '../../entities/placeholder/sample-answers.ts'
import type { BundleStep } from './bundle-form.ts'

export interface StepSamples {
  /** Of the steps before this one. */
  samples: readonly Sample[]
  onWant: () => void
}

/**
 * What each step can take values from; the same objects until that changes. Answers are fetched once a body or
 * a person asks for them.
 */
export function useStepSamples(steps: readonly BundleStep[]): readonly StepSamples[] {
  const [isAsked, setIsAsked] = useState(false)
  const isWanted = isAsked || steps.some(({ body }) => body.includes('{{'))
  const answers = useSampleAnswers(
    steps.map(({ endpoint }) => endpoint),
    isWanted,
  )
  return useMemo(() => {
    const onWant = () => setIsAsked(true)
    return answers.map((_, at) => ({ samples: answers.slice(0, at), onWant }))
  }, [answers])
}

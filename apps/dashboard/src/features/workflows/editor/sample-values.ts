import { rowValues, type ExactJson } from '@gatehouse/contract/mapping'
import type { FormRow } from '../../../entities/mapping/mapping-form.ts'
import { coverageOf } from '../../../entities/mapping/source-coverage.ts'
import type { Sample } from '../../../entities/placeholder/sample-answers.ts'

/** Of the preview alone: each run has its own. */
const previewMoment = () => ({ now: new Date().toISOString(), seed: 'preview' })

/** What From of each row gives in the sample of its source, and what of the sample input no row reads. */
export function sampleValues(rows: readonly FormRow[], samples: readonly Sample[]) {
  const bySource = new Map<string, ExactJson | undefined>(
    samples.map(({ step, data }) => [step === 0 ? 'input' : `steps.${step}.body`, data]),
  )
  const moment = previewMoment()
  const input = bySource.get('input')
  return {
    values: rows.map((row) => {
      const data = bySource.get(row.source ?? 'input')
      return data === undefined ? undefined : rowValues(data, [row], moment)[0]
    }),
    coverage:
      input === undefined || rows.length === 0
        ? undefined
        : coverageOf(
            input,
            rows.filter(({ source = 'input' }) => source === 'input'),
          ),
  }
}

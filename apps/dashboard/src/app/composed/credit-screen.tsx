import { RunPanel } from '../../features/runs/run-panel.tsx'
import { CreditPage } from '../../features/tax/credit-page.tsx'

export function CreditScreen() {
  return <CreditPage renderRun={(id) => <RunPanel id={id} />} />
}

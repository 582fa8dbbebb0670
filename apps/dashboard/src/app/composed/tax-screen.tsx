import { RunPanel } from '../../features/runs/run-panel.tsx'
import { TaxPage } from '../../features/tax/tax-page.tsx'

export function TaxScreen() {
  return <TaxPage renderRun={(id) => <RunPanel id={id} />} />
}

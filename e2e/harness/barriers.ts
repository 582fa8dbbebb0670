import type { Page } from 'playwright-core'
import { accessibilityProblems } from './open-browser.ts'

/** What keeps people out of the screen that is shown (WCAG 2.2 A and AA), in both themes. */
export async function barriersOf(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    // Colours in between have too little contrast.
    await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))')
    const problems = await accessibilityProblems(page, { isTargetSizeChecked: true })
    found.push(...problems.map((problem) => `${colorScheme}: ${problem}`))
  }
  return found
}

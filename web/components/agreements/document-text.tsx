// A document as it was saved: read-only, monospaced, and scrollable by mouse and keyboard if it is long.
import classes from './agreement.module.css'

export function DocumentText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section className={classes.document} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}

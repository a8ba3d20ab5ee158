// A document as it was saved: read-only, in the face of code, moved by mouse and keyboard where it is long.
import classes from './formula.module.css'

export function DocumentText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which must be possible with the keyboard.
    <section className={classes.document} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}

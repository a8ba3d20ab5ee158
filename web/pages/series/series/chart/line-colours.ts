// The colours of several lines in one chart, in the order in which the chart uses them. The lines have names as well.
export const lineColours = ['var(--accent)', 'var(--amber)', 'var(--green)', 'var(--violet)', 'var(--red)'] as const

export default function Figures() { return null; }

package rank

func registerDrought(r *Registry) {
	Register(r, "drought", "how near the last relevant page is on the way to the link: 1/(1+pages since it); 1 on that page itself",
		struct{}{}, without(Func(drought)))
}

func drought(e *Evidence) float64 {
	if e.Judgement.Relevant {
		return 1
	}
	return 1 / (2 + float64(e.Trail.Drought))
}
